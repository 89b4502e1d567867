import { useState } from 'react'
import { isMainColour, mainColours, standardColour } from '#base/main-colour.ts'
import { Labelled, useForm } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'
import grounds from '#base/admin/grounds.module.css'
import css from '#setting/admin/settings.module.css'

type ColourFieldProps = { name: string; label: string; help: string; defaultValue: string }

/** A colour field, with a preview in the light and the dark theme. */
export function ColourField({ defaultValue, ...said }: ColourFieldProps) {
  const words = useWords('settingAdmin')
  const { mend } = useForm()
  const [text, setText] = useState(defaultValue)
  const colour = text && isMainColour(text) ? text : null
  const shown = mainColours(colour ?? standardColour)?.tea

  function pick(picked: string): void {
    setText(picked)
    mend(said.name)
  }

  return (
    <Labelled {...said}>
      {(control) => (
        <div className={css.colour}>
          <input
            type="color"
            aria-label={words('pickColour')}
            value={colour?.toLowerCase() ?? standardColour}
            onChange={({ target }) => pick(target.value)}
          />
          <input {...control} value={text} autoComplete="off" spellCheck={false} onChange={({ target }) => setText(target.value)} />
          {(['light', 'dark'] as const).map((theme) => (
            <span key={theme} className={`${css.sample} ${grounds[theme]}`} style={{ color: shown?.[theme] }}>
              {words(`${theme}Sample`)}
            </span>
          ))}
        </div>
      )}
    </Labelled>
  )
}
