type Deed = () => Promise<void>

const deeds: Deed[] = []

/** When the file of tests is done, wherever in it this is called: Vitest hears no `afterAll` within a `beforeAll`. */
export function afterFile(deed: Deed): void {
  deeds.push(deed)
}

/** Does what is to be done after the file, the last first. */
export async function endFile(): Promise<void> {
  for (const deed of deeds.splice(0).toReversed()) await deed()
}
