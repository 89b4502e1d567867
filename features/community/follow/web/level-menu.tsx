import { Icon } from '#base/web/icon.tsx'
import { Menu, MenuButton } from '#base/web/menu.tsx'
import { useWords } from '#base/web/words.tsx'
import type { Level } from '#follow/contract.ts'
import { levelNames, type Props } from '#follow/web/follow-control.tsx'
import css from '#follow/web/follow.module.css'

const helps = {
  topic: { watching: 'watchingTopicHelp', tracking: 'trackingHelp', normal: 'normalHelp', muted: 'mutedTopicHelp' },
  tag: { watching: 'watchingTagHelp', tracking: 'trackingHelp', normal: 'normalHelp', muted: 'mutedTagHelp' },
} as const

type MenuProps = Pick<Props, 'of' | 'name'> & { level: Level; set: (level: Level) => Promise<void> }

export function LevelMenu({ of, level, name, set }: MenuProps) {
  const words = useWords('follow')
  return (
    <Menu icon="down" label={name ? words('levelOf', { name }) : words('level')}>
      {(['watching', 'tracking', 'normal', 'muted'] as const).map((one) => (
        <MenuButton key={one} aria-current={one === level || undefined} onClick={() => void set(one)}>
          <span className={css.chosen}>{one === level && <Icon name="check" size={16} />}</span>
          <span>
            {words(levelNames[one])}
            <span className={css.help}>{words(helps[of][one])}</span>
          </span>
        </MenuButton>
      ))}
    </Menu>
  )
}
