import { useRevalidator } from 'react-router'
import type { Endpoint, Input, Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { CallFailed, FieldErrors } from '#base/web/call.ts'
import { newKey } from '#base/web/key.ts'
import { useOneAtATime } from '#base/web/one-at-a-time.ts'
import { say } from '#base/web/toast.tsx'

type Next<E extends Endpoint> = {
  /** What is said when it is done. */
  done?: string
  /** The way to another page, where it leads there; otherwise this page's data is loaded again. */
  onward?: (answer: Output<E>) => void | Promise<void>
}

export type Deed<E extends Endpoint> = {
  isBusy: boolean
  /** Undefined when it failed; the person has been told. */
  go(input: Input<E>, next?: Next<E>): Promise<Output<E> | undefined>
}

/** A write behind a button, where no form is needed. */
export function useDeed<E extends Endpoint>(path: E['path']): Deed<E> {
  const api = useApi()
  const { revalidate } = useRevalidator()
  const { isBusy, run } = useOneAtATime()

  async function act(input: Input<E>, { done, onward }: Next<E>): Promise<Output<E> | undefined> {
    try {
      const answer = await api.write<E>(path, input, { idempotencyKey: newKey() })
      // Who goes elsewhere loads what is there; to load this page again would call that off.
      await (onward ? onward(answer) : revalidate())
      if (done) say(done)
      return answer
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      // The call itself has told of everything but a refusal, which has no form here to stand in.
      if (error instanceof FieldErrors) say(error.message)
      return undefined
    }
  }

  return { isBusy, go: (input, next = {}) => run(() => act(input, next)) }
}
