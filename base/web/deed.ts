import { useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import type { Endpoint, Input, Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { CallFailed, FieldErrors } from '#base/web/call.ts'
import { newKey } from '#base/web/key.ts'
import { say } from '#base/web/toast.tsx'

export type Deed<E extends Endpoint> = {
  isBusy: boolean
  /** Does it, says what was done, and loads the page's data again. Undefined when it failed; the person has been told. */
  go(input: Input<E>, done?: string): Promise<Output<E> | undefined>
}

/** A write behind a button, where no form is needed. */
export function useDeed<E extends Endpoint>(path: E['path']): Deed<E> {
  const api = useApi()
  const { revalidate } = useRevalidator()
  const [isBusy, setBusy] = useState(false)
  // Two clicks may come before the button is drawn anew.
  const isUnderWay = useRef(false)

  async function go(input: Input<E>, done?: string): Promise<Output<E> | undefined> {
    if (isUnderWay.current) return undefined
    isUnderWay.current = true
    setBusy(true)
    try {
      const answer = await api.write<E>(path, input, { idempotencyKey: newKey() })
      await revalidate()
      if (done) say(done)
      return answer
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      // The call itself has told of everything but a refusal, which has no form here to stand in.
      if (error instanceof FieldErrors) say(error.message)
      return undefined
    } finally {
      isUnderWay.current = false
      setBusy(false)
    }
  }

  return { isBusy, go }
}
