import { useState } from 'react'
import { useApi } from '#base/web/api.ts'
import { useIdlePart } from '#base/web/lazy-part.ts'
import { useWords } from '#base/web/words.tsx'
import type { Level, setLevel } from '#follow/contract.ts'
import { Follow } from '#follow/web/follow-button.tsx'
import { setTagLevel, setThreadMuted, useFollowState } from '#follow/web/follow-state.ts'
import css from '#follow/web/follow.module.css'

export type Props = {
  of: 'tag' | 'topic'
  id: string
  /** Null for visitors and while it loads. */
  level: Level | null
  /** The name of the target, for pages with several such controls. */
  name?: string
  isPlain?: boolean
}

// Literals, so that the build finds these catalogue keys in this chunk.
export const levelNames = { watching: 'watching', tracking: 'tracking', normal: 'normal', muted: 'muted' } as const

/** A control to follow a thread or a tag, with a menu of notification levels. */
export function FollowControl({ of, id, level: was, name, isPlain = false }: Props) {
  const words = useWords('follow')
  const api = useApi()
  const [chosen, choose] = useState<Level | null>(null)
  // A choice in the menu remounts the button; a click on the button itself must keep it mounted, with the focus.
  const [turn, next] = useState(0)
  const level = chosen ?? was
  const menu = useIdlePart(() => import('#follow/web/level-menu.tsx'), level !== null)

  function note(now: Level): void {
    choose(now)
    if (of === 'tag') setTagLevel(id, now)
    else setThreadMuted(id, now === 'muted')
  }

  async function set(now: Level): Promise<void> {
    if (now === level) return
    const before = chosen
    note(now)
    next(turn + 1)
    try {
      await api.write<typeof setLevel>('/follow/level', { of, id, level: now })
    } catch (error) {
      choose(before)
      if (was) note(before ?? was)
      next(turn + 2)
      console.info('How much is heard of it stays as it was', error)
    }
  }

  return (
    <span className={css.levelled}>
      <Follow
        key={turn}
        of={of}
        id={id}
        isFollowed={level && (level === 'watching' || level === 'tracking')}
        label={level ? words(levelNames[level]) : undefined}
        name={name}
        isPlain={isPlain}
        then={(follows) => note(follows ? (of === 'topic' ? 'watching' : 'tracking') : 'normal')}
      />
      {level === 'muted' && <span className="mark">{words('muted')}</span>}
      {level && <span className={css.room}>{menu && <menu.LevelMenu {...{ of, level, name, set }} />}</span>}
    </span>
  )
}

export function FollowTag({ tagId }: { tagId: string }) {
  const mine = useFollowState()
  return <FollowControl key={tagId} of="tag" id={tagId} level={mine && (mine.tags.find(({ id }) => id === tagId)?.level ?? 'normal')} />
}
