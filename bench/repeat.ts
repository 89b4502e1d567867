import { figureOf } from './table.ts'
import type { Figure } from './wrk.ts'

/** Runs `ask` on several connections, each again as soon as it is answered, for so many seconds. */
export async function repeat(
  ask: () => Promise<unknown>,
  { seconds, connections }: { seconds: number; connections: number },
): Promise<Figure> {
  const took: number[] = []
  const until = performance.now() + seconds * 1_000
  async function go(): Promise<void> {
    while (performance.now() < until) {
      const began = performance.now()
      await ask()
      took.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: connections }, go))
  return figureOf(took, seconds)
}
