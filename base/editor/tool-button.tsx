import { Icon, type icons } from '#base/editor/icons.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#base/editor/toolbar.module.css'

export type ToolName = Exclude<keyof typeof icons, 'close'>

type ToolButtonProps = {
  name: ToolName
  keys?: string | undefined
  /** The state of a toggle; undefined for other tools. */
  isOn?: boolean | undefined
  isOff?: boolean
  /** The panel that it toggles. */
  opens?: string
  act?: () => void
}

export function ToolButton({ name, keys, isOn, isOff = false, opens, act }: ToolButtonProps) {
  const words = useWords('editor')
  const label = words(name)
  return (
    <button
      type="button"
      tabIndex={-1}
      className={css.tool}
      data-tool={name}
      aria-label={label}
      title={keys ? `${label} (${command}+${keys})` : label}
      aria-pressed={isOn}
      aria-disabled={isOff}
      onMouseDown={(event) => event.preventDefault()}
      {...(opens && { popoverTarget: opens, 'aria-haspopup': 'dialog' as const })}
      onClick={() => !isOff && act?.()}
    >
      <Icon of={name} />
    </button>
  )
}

const command = /Mac|iP(hone|ad)/.test(navigator.platform) ? '⌘' : 'Ctrl'
