import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { encodeReturnPath } from '#base/encode-return-path.ts'
import { rememberDeed, takeDeed } from '#base/web/after-login.ts'
import { confirm } from '#base/web/ask.ts'
import { CallFailed, FieldErrors } from '#base/web/call.ts'
import { say } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { member, memberKnown } from '#account/web/member-here.ts'

type ToggleOptions = {
  /** Names it among all on the page, for those who log in first and come back to it. */
  deed: string
  /** How it stood when the page came; null for visitors, and until it is known. */
  was: boolean | null
  /** Where on the page it is. */
  place?: string
  /** What a visitor is asked, who must log in first. */
  question: string
  send(isOn: boolean): Promise<unknown>
}

export type Toggle = {
  isOn: boolean
  /** What a count that came with the page does not know of this: 1, 0 or -1. */
  difference: number
  press: () => void
  /** Kept once the server has all that was pressed, or refused it. */
  sent: () => Promise<void>
}

/** Something of a member's that is on or off. It shows at once; where it is refused it goes back, and they are told. */
export function useToggle({ deed, was, place = '', question, send }: ToggleOptions): Toggle {
  const words = useWords('account')
  const go = useNavigate()
  const { pathname, search } = useLocation()
  const { wish, set, sent } = useWish(was ?? false, send)
  const isOn = wish ?? was ?? false

  async function press(): Promise<void> {
    await memberKnown()
    if (member.get()) return set(!isOn)
    if (!(await confirm(question, words('logIn'), 'gives'))) return
    rememberDeed(deed)
    await go(`/login?jumpUrl=${encodeReturnPath(`${pathname}${search}${place}`)}`)
  }

  const isKnown = was !== null
  const goOn = useEffectEvent(async () => {
    await memberKnown()
    if (isKnown && takeDeed(deed) && !was) await set(true)
  })
  useEffect(() => void goOn(), [isKnown])

  return { isOn, difference: Number(isOn) - Number(was ?? false), press: () => void press(), sent }
}

function useWish(was: boolean, send: ToggleOptions['send']) {
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
      // Whoever changed their mind meanwhile is heard last.
      while (done !== wished.current) {
        const now = wished.current
        await send(now)
        done = now
      }
    } catch (error) {
      setWish(done)
      if (error instanceof FieldErrors) say(error.message)
      else if (!(error instanceof CallFailed)) throw error
    }
  }

  return { wish, set, sent: async () => sending.current ?? undefined }
}
