type Long = {
  /** What is begun and not done, wherever it stopped. */
  unfinished: () => Promise<string[]>
  /** Does the next of one. False where there was nothing to do, or somebody else is at it. */
  step: (id: string) => Promise<boolean>
}

/** Goes on with all that is unfinished until nothing moves: some of each in turn, so that none waits for a long one before it. */
export async function resumeUnfinished({ unfinished, step }: Long): Promise<void> {
  for (let isMoving = true; isMoving;) {
    isMoving = false
    for (const id of await unfinished()) if (await step(id)) isMoving = true
  }
}
