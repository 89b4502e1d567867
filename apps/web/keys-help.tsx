import { useEffect } from 'react'
import { Dialog } from '#base/web/dialog.tsx'
import { areOn, helpIsOpen, listenForKeys, offered, switchShortcuts, type Group } from '#base/web/shortcuts.ts'
import { useSay, useWords } from '#base/web/words.tsx'
import css from '#apps/web/shortcuts.module.css'

/** Listens for the keys that screens offer, and lists them for whoever asks. */
export function KeysHelp() {
  const isOpen = helpIsOpen.use()
  const words = useWords('keys')
  useEffect(() => listenForKeys(), [])
  return (
    <Dialog title={words('title')} isOpen={isOpen} close={() => helpIsOpen.set(false)}>
      <Help />
    </Dialog>
  )
}

function Help() {
  const words = useWords('keys')
  const isOn = areOn.use()
  const groups = offered.use()
  return (
    <div className={css.help}>
      <label className={css.switch}>
        <input type="checkbox" checked={isOn} onChange={(event) => switchShortcuts(event.currentTarget.checked)} data-first />
        {words('on')}
      </label>
      {isOn ? groups.map((group) => <Keys key={group.title} {...group} />) : <p className="note">{words('off')}</p>}
    </div>
  )
}

function Keys({ title, shortcuts }: Group) {
  const say = useSay()
  const words = useWords('keys')
  return (
    <section className={css.group}>
      <h3>{say(title)}</h3>
      <dl className={css.keys}>
        {shortcuts.map(({ keys, says }) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key, index) => (
                <span key={key}>
                  {index > 0 && <span className="meta"> {words('then')} </span>}
                  <kbd>{key}</kbd>
                </span>
              ))}
            </dt>
            <dd>{say(says)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
