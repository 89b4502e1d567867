import { useState } from 'react'
import { useRevalidator } from 'react-router'

/**
 * What follows on a deed to many: it is told, and the selection goes. What could not be done is read before that and before the list is
 * loaded again, for with its last row the selection goes, and who shows this with it.
 */
export function usePartly<Answer extends { faults: readonly unknown[] }>(tell: (answer: Answer) => void, done: () => void) {
  const [result, setResult] = useState<Answer | null>(null)
  const { revalidate } = useRevalidator()

  function finish(answer: Answer): void | Promise<void> {
    if (answer.faults.length > 0) return Promise.resolve(setResult(answer))
    tell(answer)
    done()
  }

  function read(): void {
    setResult(null)
    done()
    void revalidate()
  }

  return { result, finish, read }
}
