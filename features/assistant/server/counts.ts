export type Outcome = 'finished' | 'stopped' | 'failed'

const answers: Record<Outcome, number> = { finished: 0, stopped: 0, failed: 0 }
let failures = 0

/** Counts an answer that ended, for the metrics of this process. */
export function countAnswer(outcome: Outcome): void {
  answers[outcome]++
}

/** Counts a call that a provider failed. */
export function countFailure(): void {
  failures++
}

export function counted(): { answers: Readonly<typeof answers>; failures: number } {
  return { answers, failures }
}
