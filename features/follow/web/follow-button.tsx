import { useMember, useToggle } from '#account/web/account.tsx'
import { useApi } from '#base/web/api.ts'
import { useWords } from '#base/web/words.tsx'
import type { addFollow, Followable, removeFollow } from '#follow/contract.ts'
import css from '#follow/web/follow.module.css'

type Props = {
  of: Followable
  id: string
  /** Null for visitors, and until it is known. */
  isFollowed: boolean | null
  /** Whom or what, where several such buttons stand on one page. */
  name?: string
  isPlain?: boolean
  /** What it says where something is followed, if not that. */
  label?: string
  /** It is followed now, or no more. */
  then?: (isFollowed: boolean) => void
}

/** Follows a member, a tag or a thread, and lets go again. Nobody follows themselves. */
export function Follow({ of, id, isFollowed, name, isPlain = false, label: followed, then }: Props) {
  const words = useWords('follow')
  const api = useApi()
  const me = useMember()
  const { isOn, press } = useToggle({
    deed: `follow ${of} ${id}`,
    was: isFollowed,
    question: words('loginFirst'),
    async send(follows) {
      await api.write<typeof addFollow | typeof removeFollow>(follows ? '/follow/add' : '/follow/remove', { of, id })
      then?.(follows)
    },
  })
  if (of === 'member' && me?.userId === id) return null
  const label = isOn ? (followed ?? words('following')) : words('follow')
  return (
    <button
      type="button"
      className={isPlain ? `plain ${css.plain}` : `button quiet ${css.follow}`}
      aria-pressed={isOn}
      aria-label={name && `${label} ${name}`}
      onClick={press}
      data-deed="follow"
    >
      {label}
    </button>
  )
}
