/** `TEST_EXTENT=all` runs every round of a race, every run of a property, and random seeds; the gate runs a sample. */
export const isFullRun = process.env['TEST_EXTENT'] === 'all'

/** The number of runs of a property, of `many` in a full run. */
export function runs(many: number): number {
  return isFullRun ? many : Math.ceil(many / 10)
}

/** The number of rounds of a race; `RACES=200` overrides it. */
export const rounds = Number(process.env['RACES'] ?? (isFullRun ? 60 : 8))

/** The seed of random values, for a repeatable run: `TEST_SEED=42 npm test`. */
export const seed = Number(process.env['TEST_SEED'] ?? 1)
