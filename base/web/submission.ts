import { useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import type { Endpoint, RawInput, Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { CallFailed, FieldErrors } from '#base/web/call.ts'
import { newKey } from '#base/web/key.ts'

export type SubmitOptions<E extends Endpoint> = {
  /** Distinguishes one action from the next, for the idempotency key. A form is one action, whatever its values. */
  actionKey?: string
  /** Runs on success; resolves after a navigation if it navigates. Without it, the page's data is reloaded. */
  onSuccess?: (answer: Output<E>) => void | Promise<void>
  /** Receives expected errors. All other failures have been reported. */
  onRefused: (refusals: FieldErrors) => void
}

export type Submission<E extends Endpoint> = {
  isBusy: boolean
  /** Undefined on failure, or while the previous submission is in flight. */
  submit(input: RawInput<E>, next: SubmitOptions<E>): Promise<Output<E> | undefined>
}

/** A write that takes effect once, however often it is clicked and sent. */
export function useSubmission<E extends Endpoint>(path: E['path']): Submission<E> {
  const api = useApi()
  const { revalidate } = useRevalidator()
  // Two clicks may arrive before the button is rendered again.
  const isInFlight = useRef(false)
  const [isBusy, setBusy] = useState(false)
  const last = useRef({ of: '', key: '' })

  async function send(input: RawInput<E>, of: string): Promise<Output<E>> {
    if (!last.current.key || last.current.of !== of) last.current = { of, key: newKey() }
    try {
      const answer = await api.write<E>(path, input, { idempotencyKey: last.current.key })
      last.current.key = ''
      return answer
    } catch (error) {
      // An expected error changed nothing, so the next submission is a new action. Without an answer the first may have taken
      // effect, and the key stays.
      if (error instanceof FieldErrors && error.seconds === null) last.current.key = ''
      throw error
    }
  }

  async function submit(input: RawInput<E>, { actionKey = '', onSuccess, onRefused }: SubmitOptions<E>): Promise<Output<E> | undefined> {
    if (isInFlight.current) return undefined
    isInFlight.current = true
    setBusy(true)
    try {
      const answer = await send(input, actionKey)
      // A navigation loads its own data; reloading this page would cancel it.
      await (onSuccess?.(answer) ?? revalidate())
      return answer
    } catch (error) {
      if (error instanceof FieldErrors) onRefused(error)
      else if (!(error instanceof CallFailed)) throw error
      return undefined
    } finally {
      isInFlight.current = false
      setBusy(false)
    }
  }

  return { isBusy, submit }
}
