type Action = () => Promise<void>

const actions: Action[] = []

/** Registers cleanup for the end of the test file, from anywhere in it: Vitest ignores `afterAll` within `beforeAll`. */
export function afterFile(action: Action): void {
  actions.push(action)
}

/** Runs the registered cleanup, last first. */
export async function endFile(): Promise<void> {
  for (const action of actions.splice(0).toReversed()) await action()
}
