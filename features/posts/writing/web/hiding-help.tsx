import type { Lock } from '#base/rich-text/document.ts'
import { useWords } from '#base/web/words.tsx'
import css from '#writing/web/post-editor.module.css'

/** The help on hidden parts of a topic, in both views. */
export function HidingHelp({ locks }: { locks: readonly Lock[] }) {
  const words = useWords('writing')
  if (locks.length === 0) return null
  return (
    <details className={css.hiding}>
      <summary>{words('hidingTitle')}</summary>
      <p>{words('hidingButton')}</p>
      <p>{words('hidingMarkdown')}</p>
      <pre>{`:::hidden ${samples[locks.includes('points') ? 'points' : (locks[0] ?? 'comment')]}\n\n${words('hidingSample')}\n\n:::`}</pre>
      <ul>
        {locks.map((lock) => (
          <li key={lock}>
            <code>{samples[lock]}</code> {words('hidingLock', { lock })}
          </li>
        ))}
      </ul>
      <p>{words('hidingShown')}</p>
    </details>
  )
}

const samples: Record<Lock, string> = {
  password: 'password="oolong"',
  comment: 'comment',
  level: 'level=500',
  points: 'points=5',
  balance: 'balance=9.90',
}
