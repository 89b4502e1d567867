import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { encodeReturnPath } from '#base/encode-return-path.ts'
import { rememberAction, takeAction } from '#base/web/after-login.ts'
import { confirm } from '#base/web/dialogs.ts'
import { CallFailed, FieldErrors } from '#base/web/call.ts'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { member, memberLoaded } from '#account/web/current-member.ts'

type ToggleOptions = {
  /** A unique name on the page, for visitors who log in first and come back to it. */
  action: string
  /** The state when the page loaded; null for visitors, and until it is known. */
  initial: boolean | null
  /** The hash of its place on the page. */
  hash?: string
  /** The prompt for a visitor, who must log in first. */
  question: string
  send(isOn: boolean): Promise<unknown>
}

export type Toggle = {
  isOn: boolean
  /** The change to a count that the page loaded: 1, 0 or -1. */
  difference: number
  press: () => void
  /** Resolves once the server has every press, or refused it. */
  sent: () => Promise<void>
}

/** A member's toggle with optimistic updates. A refusal reverts it and shows an error. */
export function useToggle({ action, initial, hash = '', question, send }: ToggleOptions): Toggle {
  const words = useWords('account')
  const go = useNavigate()
  const { pathname, search } = useLocation()
  const { wish, set, sent } = useOptimisticState(initial ?? false, send)
  const isOn = wish ?? initial ?? false

  async function press(): Promise<void> {
    await memberLoaded()
    if (member.get()) return set(!isOn)
    if (!(await confirm(question, words('logIn'), 'gives'))) return
    rememberAction(action)
    await go(`/login?jumpUrl=${encodeReturnPath(`${pathname}${search}${hash}`)}`)
  }

  const isKnown = initial !== null
  const goOn = useEffectEvent(async () => {
    await memberLoaded()
    if (isKnown && takeAction(action) && !initial) await set(true)
  })
  useEffect(() => void goOn(), [isKnown])

  return { isOn, difference: Number(isOn) - Number(initial ?? false), press: () => void press(), sent }
}

function useOptimisticState(was: boolean, send: ToggleOptions['send']) {
  const [wish, setWish] = useState<boolean | null>(null)
  const wished = useRef(false)
  const sending = useRef<Promise<void>>(null)

  async function set(next: boolean): Promise<void> {
    wished.current = next
    setWish(next)
    sending.current ??= sendAll().finally(() => {
      sending.current = null
    })
    await sending.current
  }

  async function sendAll(): Promise<void> {
    let done = wish ?? was
    try {
      // The latest press wins.
      while (done !== wished.current) {
        const now = wished.current
        await send(now)
        done = now
      }
    } catch (error) {
      setWish(done)
      if (error instanceof FieldErrors) toast(error.message)
      else if (!(error instanceof CallFailed)) throw error
    }
  }

  return { wish, set, sent: async () => sending.current ?? undefined }
}
