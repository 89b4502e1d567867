/** `TEST_EXTENT=all` runs every round of a race, every run of a property, and axe on every screen; the gate runs a sample. */
export const isFullRun = process.env['TEST_EXTENT'] === 'all'

/** The number of runs of a property, of `many` in a full run. */
export function runs(many: number): number {
  return isFullRun ? many : Math.ceil(many / 10)
}

/** The number of rounds of a race; `RACES=200` overrides it. */
export const rounds = Number(process.env['RACES'] ?? (isFullRun ? 60 : 8))

/** The seed of random values, for a repeatable run: `TEST_SEED=42 npm test`. */
export const seed = Number(process.env['TEST_SEED'] ?? 1)

const changed = new Set(process.env['TEST_CHANGED']?.split(' '))

/** Whether a costly check is made for this part of a feature: in a full run, if the feature changed, and for a tenth by the seed. */
export function isChosen(part: string, feature: string | null): boolean {
  return isFullRun || (feature !== null && changed.has(feature)) || hashOf(`${seed} ${part}`) % 10 === 0
}

// FNV-1a
function hashOf(text: string): number {
  return [...text].reduce((hash, letter) => Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0, 0x811c9dc5)
}
