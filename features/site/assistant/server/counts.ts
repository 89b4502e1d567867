export type Outcome = 'finished' | 'stopped' | 'failed'

const answers: Record<Outcome, number> = { finished: 0, stopped: 0, failed: 0 }
let failures = 0

/** Counts a finished answer in the metrics of this process. */
export function countAnswer(outcome: Outcome): void {
  answers[outcome]++
}

/** Counts a failed call to a provider. */
export function countFailure(): void {
  failures++
}

export function counted(): { answers: Readonly<typeof answers>; failures: number } {
  return { answers, failures }
}
