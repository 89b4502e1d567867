import type { Finding, Sample } from '#importer/contract.ts'

const maxSamples = 5

export type Findings = {
  add(why: string, sample: Sample): void
  all(): Finding[]
}

/** Counts rows by a reason, with some samples of each. */
export function findingsOf(): Findings {
  const found = new Map<string, Finding>()
  return {
    add(why, sample) {
      const its = found.get(why) ?? { why, count: 0, samples: [] }
      its.count += 1
      if (its.samples.length < maxSamples) its.samples.push(sample)
      found.set(why, its)
    },
    all: () => [...found.values()].toSorted((one, other) => other.count - one.count),
  }
}
