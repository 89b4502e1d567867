import { useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import type { Endpoint, RawInput, Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { CallFailed, FieldErrors } from '#base/web/call.ts'
import { newKey } from '#base/web/key.ts'

export type Next<E extends Endpoint> = {
  /** What makes it another deed than the one before. A form is one deed, whatever stands in it. */
  of?: string
  /** What follows; the way to another page where it leads there. Otherwise this page's data is loaded again. */
  onward?: (answer: Output<E>) => void | Promise<void>
  /** Takes what the server refuses. The person has been told of everything else. */
  refused: (refusals: FieldErrors) => void
}

export type Delivery<E extends Endpoint> = {
  isBusy: boolean
  /** Undefined when it was not done, or when the one before is still under way. */
  deliver(input: RawInput<E>, next: Next<E>): Promise<Output<E> | undefined>
}

/** A write that is done once, however often one clicks and however often it is sent, and that leads on. */
export function useDelivery<E extends Endpoint>(path: E['path']): Delivery<E> {
  const api = useApi()
  const { revalidate } = useRevalidator()
  // Two clicks may come before the button is drawn anew.
  const isUnderWay = useRef(false)
  const [isBusy, setBusy] = useState(false)
  const last = useRef({ of: '', key: '' })

  async function send(input: RawInput<E>, of: string): Promise<Output<E>> {
    if (!last.current.key || last.current.of !== of) last.current = { of, key: newKey() }
    try {
      const answer = await api.write<E>(path, input, { idempotencyKey: last.current.key })
      last.current.key = ''
      return answer
    } catch (error) {
      // Nothing was done, so what is sent next is another deed. Without an answer, or while it is under way, it may have been, and the key stays.
      if (error instanceof FieldErrors && error.seconds === null) last.current.key = ''
      throw error
    }
  }

  async function deliver(input: RawInput<E>, { of = '', onward, refused }: Next<E>): Promise<Output<E> | undefined> {
    if (isUnderWay.current) return undefined
    isUnderWay.current = true
    setBusy(true)
    try {
      const answer = await send(input, of)
      // Who goes elsewhere loads what is there; to load this page again would call that off.
      await (onward?.(answer) ?? revalidate())
      return answer
    } catch (error) {
      if (error instanceof FieldErrors) refused(error)
      else if (!(error instanceof CallFailed)) throw error
      return undefined
    } finally {
      isUnderWay.current = false
      setBusy(false)
    }
  }

  return { isBusy, deliver }
}
