import { useMember, useToggle } from '#account/web/account.tsx'
import { useApi } from '#base/web/api.ts'
import { useWords } from '#base/web/words.tsx'
import type { addFollow, Followable, removeFollow } from '#follow/contract.ts'
import css from '#follow/web/follow.module.css'

type Props = {
  of: Followable
  id: string
  /** Null for visitors and while it loads. */
  isFollowed: boolean | null
  /** The name of the target, for pages with several such buttons. */
  name?: string
  isPlain?: boolean
  /** The label while followed, if not the default. */
  label?: string
  /** Called after a change. */
  then?: (isFollowed: boolean) => void
}

/** A button to follow or unfollow a member, a tag or a thread. Hidden for oneself. */
export function Follow({ of, id, isFollowed, name, isPlain = false, label: followed, then }: Props) {
  const words = useWords('follow')
  const api = useApi()
  const me = useMember()
  const { isOn, press } = useToggle({
    action: `follow ${of} ${id}`,
    initial: isFollowed,
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
      data-action="follow"
    >
      {label}
    </button>
  )
}
