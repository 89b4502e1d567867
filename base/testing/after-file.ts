type Deed = () => Promise<void>

const deeds: Deed[] = []

/** Registers cleanup for the end of the test file, from anywhere in it: Vitest ignores `afterAll` within `beforeAll`. */
export function afterFile(deed: Deed): void {
  deeds.push(deed)
}

/** Runs the registered cleanup, last first. */
export async function endFile(): Promise<void> {
  for (const deed of deeds.splice(0).toReversed()) await deed()
}
