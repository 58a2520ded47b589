/** Credentials of a container registry. They are written once and never shown. */
export interface Registry {
  readonly id: string
  readonly name: string
  readonly username: string
  readonly password: string
  readonly createdAtMs: number
}
