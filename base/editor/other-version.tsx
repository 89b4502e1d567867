import { chooseVersion } from '#base/editor/draft-store.ts'
import type { OtherVersion as Version } from '#base/editor/draft-state.ts'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#base/editor/other-version.module.css'

/** A conflict with another device or tab: both versions are shown, and nothing is overwritten until the person chooses. */
export function OtherVersion({ draftKey, other }: { draftKey: string; other: Version }) {
  const words = useWords('editor')
  const label = words(other.isTab ? 'twoTabs' : 'twoVersions')
  return (
    <section className={css.other} aria-label={label}>
      <p role="status">
        <strong>{label}</strong> {!other.isTab && `${other.device ?? words('anotherDevice')} · `}
        <Time at={other.savedAt} />
      </p>
      <textarea readOnly rows={3} aria-label={label} value={other.text} />
      <p className="actions">
        <button type="button" className="button quiet" onClick={() => chooseVersion(draftKey, 'other')}>
          {words('useOther')}
        </button>
        <button type="button" className="button quiet" onClick={() => chooseVersion(draftKey, 'mine')}>
          {words('keepMine')}
        </button>
      </p>
    </section>
  )
}
