import type { Endpoint, RawInput, Output } from '#base/contract.ts'
import { useDelivery, type Next } from '#base/web/delivery.ts'
import { say } from '#base/web/toast.tsx'

export type Deed<E extends Endpoint> = {
  isBusy: boolean
  /** `done` is said when it is done. Undefined when it failed; the person has been told. */
  go(input: RawInput<E>, next?: Pick<Next<E>, 'onward'> & { done?: string }): Promise<Output<E> | undefined>
}

/** A write behind a button, where no form is needed. */
export function useDeed<E extends Endpoint>(path: E['path']): Deed<E> {
  const { isBusy, deliver } = useDelivery<E>(path)
  return {
    isBusy,
    async go(input, { onward, done } = {}) {
      // A refusal has no form here to stand in.
      const answer = await deliver(input, { of: JSON.stringify(input), ...(onward && { onward }), refused: ({ message }) => say(message) })
      if (answer !== undefined && done) say(done)
      return answer
    },
  }
}
