/** Requests that are being answered: a clock that skips idle time stands still for them. */
export class InFlight {
  #count = 0

  get count(): number {
    return this.#count
  }

  begin(): void {
    this.#count += 1
  }

  end(): void {
    this.#count -= 1
  }

  /** For as long as it takes, however that ends. */
  hold(loading: Promise<unknown>): void {
    const end = () => this.end()
    this.begin()
    loading.then(end, end)
  }
}
