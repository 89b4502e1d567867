import type { Endpoint, RawInput, Output } from '#base/contract.ts'
import { useSubmission, type SubmitOptions } from '#base/web/submission.ts'
import { toast } from '#base/web/toast.tsx'

export type Action<E extends Endpoint> = {
  isBusy: boolean
  /** `message` is shown on success. Undefined on failure, which has been reported. */
  run(input: RawInput<E>, next?: Pick<SubmitOptions<E>, 'onSuccess'> & { message?: string }): Promise<Output<E> | undefined>
}

/** A write behind a button, without a form. */
export function useAction<E extends Endpoint>(path: E['path']): Action<E> {
  const { isBusy, submit } = useSubmission<E>(path)
  return {
    isBusy,
    async run(input, { onSuccess, message: success } = {}) {
      // A refusal has no form field here.
      const answer = await submit(input, {
        actionKey: JSON.stringify(input),
        ...(onSuccess && { onSuccess }),
        onRefused: ({ message }) => toast(message),
      })
      if (answer !== undefined && success) toast(success)
      return answer
    },
  }
}
