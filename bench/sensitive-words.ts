import { find, compile } from '#sensitive-word/server/matching/matcher.ts'

/** The time to search a post of usual size for a hundred thousand words, and their memory. */
const words = 100_000
const post = `泡茶先温杯，再投茶，然后沿杯壁注水到七分满。水温八十度左右最好，太烫会把嫩芽烫熟，茶汤发黄，也少了那股豆香。
Longjing wants 80 °C water, a glass, and patience; the second infusion is the best one, and @mei paid $5 for it. `.repeat(6)
const rounds = 300

let seed = 42
function upTo(most: number): number {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
  return (seed >>> 8) % most
}

function madeUp(number: number): string {
  const isLatin = number % 4 === 0
  const length = isLatin ? 5 + upTo(8) : 2 + upTo(5)
  return Array.from({ length }, () => String.fromCodePoint(isLatin ? 97 + upTo(26) : 0x4e00 + upTo(4_000))).join('')
}

/** Prints the result. */
export function printSensitiveWords(): void {
  const list = Array.from({ length: words }, (_, number) => madeUp(number))
  const before = performance.now()
  const made = compile(list)
  const building = performance.now() - before
  const bytes = Object.values(made.automaton).reduce((sum, { byteLength }) => sum + byteLength, made.order.byteLength)
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now()
    find(made, post)
    return performance.now() - start
  }).sort((a, b) => a - b)
  const at = (share: number) => (times[Math.floor(rounds * share)] ?? 0).toFixed(3)
  console.log(`\n${words} sensitive words, a post of ${post.length} characters: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`)
  console.log(`made ready in ${building.toFixed(0)} ms, ${(bytes / 1_048_576).toFixed(1)} MB`)
}

if (import.meta.main) printSensitiveWords()
