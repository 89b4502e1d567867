import type { Endpoint, RawInput, Output } from '#base/contract.ts'
import { useDelivery, type Next } from '#base/web/delivery.ts'
import { say } from '#base/web/toast.tsx'

export type Deed<E extends Endpoint> = {
  isBusy: boolean
  /** `done` is the message on success. Undefined on failure, which has been reported. */
  go(input: RawInput<E>, next?: Pick<Next<E>, 'onward'> & { done?: string }): Promise<Output<E> | undefined>
}

/** A write behind a button, without a form. */
export function useDeed<E extends Endpoint>(path: E['path']): Deed<E> {
  const { isBusy, deliver } = useDelivery<E>(path)
  return {
    isBusy,
    async go(input, { onward, done } = {}) {
      // A refusal has no form field here.
      const answer = await deliver(input, { of: JSON.stringify(input), ...(onward && { onward }), refused: ({ message }) => say(message) })
      if (answer !== undefined && done) say(done)
      return answer
    },
  }
}
