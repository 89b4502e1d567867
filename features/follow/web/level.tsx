import { useState } from 'react'
import { useApi } from '#base/web/api.ts'
import { Icon } from '#base/web/icon.tsx'
import { Menu, MenuButton } from '#base/web/menu.tsx'
import { useWords } from '#base/web/words.tsx'
import type { Level, setLevel } from '#follow/contract.ts'
import { Follow } from '#follow/web/follow-button.tsx'
import { noteTag, noteThread, useFollowMine } from '#follow/web/mine.ts'
import css from '#follow/web/follow.module.css'

type Props = {
  of: 'tag' | 'topic'
  id: string
  /** Null for visitors, and until it is known. */
  level: Level | null
  /** Of what, where several stand on one page. */
  name?: string
  isPlain?: boolean
}

// Written out, so that these words come with the page.
const names = { watching: 'watching', tracking: 'tracking', normal: 'normal', muted: 'muted' } as const
const helps = {
  topic: { watching: 'watchingTopicHelp', tracking: 'trackingHelp', normal: 'normalHelp', muted: 'mutedTopicHelp' },
  tag: { watching: 'watchingTagHelp', tracking: 'trackingHelp', normal: 'normalHelp', muted: 'mutedTagHelp' },
} as const

/** Follows a thread or a tag, and says how much of it one wants to hear. */
export function Levelled({ of, id, level: was, name, isPlain = false }: Props) {
  const words = useWords('follow')
  const api = useApi()
  const [chosen, choose] = useState<Level | null>(null)
  // A choice in the menu begins the button anew; one by the button itself must leave it in place, with what is focused there.
  const [turn, next] = useState(0)
  const level = chosen ?? was

  function note(now: Level): void {
    choose(now)
    if (of === 'tag') noteTag(id, now)
    else noteThread(id, now === 'muted')
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
        label={level ? words(names[level]) : undefined}
        name={name}
        isPlain={isPlain}
        then={(follows) => note(follows ? (of === 'topic' ? 'watching' : 'tracking') : 'normal')}
      />
      {level === 'muted' && <span className="mark">{words('muted')}</span>}
      {level && <LevelMenu {...{ of, level, name, set }} />}
    </span>
  )
}

function LevelMenu({ of, level, name, set }: Pick<Props, 'of' | 'name'> & { level: Level; set: (level: Level) => Promise<void> }) {
  const words = useWords('follow')
  return (
    <Menu icon="down" label={name ? words('levelOf', { name }) : words('level')}>
      {(['watching', 'tracking', 'normal', 'muted'] as const).map((one) => (
        <MenuButton key={one} aria-current={one === level || undefined} onClick={() => void set(one)}>
          <span className={css.chosen}>{one === level && <Icon name="check" size={16} />}</span>
          <span>
            {words(names[one])}
            <span className={css.help}>{words(helps[of][one])}</span>
          </span>
        </MenuButton>
      ))}
    </Menu>
  )
}

export function FollowTag({ tagId }: { tagId: string }) {
  const mine = useFollowMine()
  return <Levelled key={tagId} of="tag" id={tagId} level={mine && (mine.tags.find(({ id }) => id === tagId)?.level ?? 'normal')} />
}
