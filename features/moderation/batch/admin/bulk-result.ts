import { useState } from 'react'
import { useRevalidator } from 'react-router'

/**
 * The steps after a bulk action: the result is shown, and the selection is cleared. Skipped items are shown before that and before the list
 * is loaded again, since clearing the last row unmounts the component that shows them.
 */
export function useBulkResult<Answer extends { faults: readonly unknown[] }>(tell: (answer: Answer) => void, done: () => void) {
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
