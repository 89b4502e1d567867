type ResumableWork = {
  /** The ids of everything begun and not finished. */
  unfinished: () => Promise<string[]>
  /** Does the next step of one. False if there was nothing to do, or another process is at it. */
  step: (id: string) => Promise<boolean>
}

/** Resumes everything unfinished until nothing advances, one step of each in turn, so that none waits for a long one. */
export async function resumeUnfinished({ unfinished, step }: ResumableWork): Promise<void> {
  for (let isMoving = true; isMoving;) {
    isMoving = false
    for (const id of await unfinished()) if (await step(id)) isMoving = true
  }
}
