import { createContext, useContext, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { encodeReturnPath } from '#base/return-path.ts'
import { member, memberKnown } from '#account/web/account.tsx'
import { rememberDeed, takeDeed } from '#base/web/after-login.ts'
import { useApi } from '#base/web/api.ts'
import { confirm } from '#base/web/ask.ts'
import { CallFailed, FieldErrors } from '#base/web/call.ts'
import { say } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import type { Kind } from '#kind/contract.ts'
import type { addLike, removeLike } from '#like/contract.ts'

/** What of this page I like; null for visitors, and until it is known. */
export const LikedContext = createContext<Record<Kind, string[]> | null>(null)

export type Post = { kind: Kind; id: string; authorId: string }
type Liking = { isLiked: boolean; /** What the count that came with the page does not know. */ difference: number; press: () => void }

/** Whether I like a post; by a press I do, or do no more. Who is nobody yet logs in first, and comes back to it. */
export function useLike({ kind, id }: Post): Liking {
  const words = useWords('like')
  const go = useNavigate()
  const { pathname, search } = useLocation()
  const liked = useContext(LikedContext)
  const was = liked?.[kind].includes(id) ?? false
  const { wish, set } = useWish({ kind, id }, was)
  const isLiked = wish ?? was
  const deed = `like ${kind} ${id}`

  async function press(): Promise<void> {
    await memberKnown()
    if (member.get()) return set(!isLiked)
    if (!(await confirm(words('loginFirst'), words('logIn'), 'gives'))) return
    rememberDeed(deed)
    await go(`/login?jumpUrl=${encodeReturnPath(`${pathname}${search}${kind === 'topic' ? '' : `#${kind}-${id}`}`)}`)
  }

  const isKnown = liked !== null
  const goOn = useEffectEvent(async () => {
    await memberKnown()
    if (isKnown && takeDeed(deed) && !was) await set(true)
  })
  useEffect(() => void goOn(), [isKnown])

  return { isLiked, difference: isLiked === was ? 0 : isLiked ? 1 : -1, press: () => void press() }
}

/** What one wishes shows at once and is sent; where it was refused it is taken back, and one is told. */
function useWish(post: { kind: Kind; id: string }, was: boolean) {
  const api = useApi()
  const [wish, setWish] = useState<boolean | null>(null)
  const wished = useRef(false)
  const isSending = useRef(false)

  async function set(next: boolean): Promise<void> {
    wished.current = next
    setWish(next)
    if (isSending.current) return
    isSending.current = true
    let done = wish ?? was
    try {
      // Whoever changed their mind meanwhile is heard last.
      while (done !== wished.current) {
        const now = wished.current
        await api.write<typeof addLike | typeof removeLike>(now ? '/like/add' : '/like/remove', post)
        done = now
      }
    } catch (error) {
      setWish(done)
      if (error instanceof FieldErrors) say(error.message)
      else if (!(error instanceof CallFailed)) throw error
    } finally {
      isSending.current = false
    }
  }

  return { wish, set }
}
