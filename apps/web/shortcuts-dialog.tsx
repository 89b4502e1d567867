import { Dialog } from '#base/web/dialog.tsx'
import { shortcutsEnabled, helpIsOpen, activeShortcuts, enableShortcuts, type ShortcutGroup } from '#base/web/shortcuts.ts'
import { useTranslate, useWords } from '#base/web/words.tsx'
import css from '#apps/web/shortcuts.module.css'

/** The shortcuts that the screen knows, and the switch that turns them off. */
export function ShortcutsDialog({ isOpen }: { isOpen: boolean }) {
  const words = useWords('keys')
  return (
    <Dialog title={words('title')} isOpen={isOpen} close={() => helpIsOpen.set(false)}>
      <Help />
    </Dialog>
  )
}

function Help() {
  const words = useWords('keys')
  const isOn = shortcutsEnabled.use()
  // Several parts of a screen may register groups of the same name.
  const groups = [...Map.groupBy(activeShortcuts.use(), ({ title }) => title)]
  return (
    <div className={css.help}>
      <label className={css.switch}>
        <input type="checkbox" checked={isOn} onChange={(event) => enableShortcuts(event.currentTarget.checked)} data-first />
        {words('on')}
      </label>
      {isOn ? (
        groups.map(([title, its]) => <Keys key={title} title={title} shortcuts={its.flatMap(({ shortcuts }) => shortcuts)} />)
      ) : (
        <p className="note">{words('off')}</p>
      )}
    </div>
  )
}

function Keys({ title, shortcuts }: ShortcutGroup) {
  const say = useTranslate()
  return (
    <section className={css.group}>
      <h3>{say(title)}</h3>
      <dl className={css.keys}>
        {[...Map.groupBy(shortcuts, ({ label }) => label)].map(([says, same]) => (
          <div key={says}>
            <dt>
              <KeySequence keys={same[0]?.keys ?? ''} />
              {same.length > 1 && (
                <>
                  {' – '}
                  <KeySequence keys={same.at(-1)?.keys ?? ''} />
                </>
              )}
            </dt>
            <dd>{say(says)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** One key, or a sequence of two. */
function KeySequence({ keys }: { keys: string }) {
  const words = useWords('keys')
  return keys.split(' ').map((key, index) => (
    <span key={key}>
      {index > 0 && <span className="meta"> {words('then')} </span>}
      <kbd>{key}</kbd>
    </span>
  ))
}
