/** Lifecycles as tables: from which status which step leads where. */

export type Transitions<Status extends string, Step extends string> = Readonly<
  Record<Status, Readonly<Partial<Record<Step, Status>>>>
>

/** Where a step leads, or undefined when the status does not allow it. */
export function nextStatus<Status extends string, Step extends string>(
  table: Transitions<Status, Step>,
  from: Status,
  step: Step,
): Status | undefined {
  return table[from][step]
}

/** Those of `steps` that the status allows, in the order given. */
export function stepsFrom<Status extends string, Step extends string, Asked extends Step>(
  table: Transitions<Status, Step>,
  from: Status,
  steps: readonly Asked[],
): Asked[] {
  return steps.filter((step) => table[from][step] !== undefined)
}
