import { useState } from 'react'
import { isMainColour, mainColours, defaultColour } from '#base/main-colour.ts'
import { LabelledControl, useForm } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'
import grounds from '#base/admin/theme-backgrounds.module.css'
import css from '#setting/admin/settings.module.css'

type ColourFieldProps = { name: string; label: string; help: string; defaultValue: string }

/** A colour field, with a preview in the light and the dark theme. */
export function ColourField({ defaultValue, ...said }: ColourFieldProps) {
  const words = useWords('settingAdmin')
  const { clearError } = useForm()
  const [text, setText] = useState(defaultValue)
  const colour = text && isMainColour(text) ? text : null
  const colours = mainColours(colour ?? defaultColour)?.tea

  function pick(picked: string): void {
    setText(picked)
    clearError(said.name)
  }

  return (
    <LabelledControl {...said}>
      {(control) => (
        <div className={css.colour}>
          <input
            type="color"
            aria-label={words('pickColour')}
            value={colour?.toLowerCase() ?? defaultColour}
            onChange={({ target }) => pick(target.value)}
          />
          <input {...control} value={text} autoComplete="off" spellCheck={false} onChange={({ target }) => setText(target.value)} />
          {(['light', 'dark'] as const).map((theme) => (
            <span key={theme} className={`${css.sample} ${grounds[theme]}`} style={{ color: colours?.[theme] }}>
              {words(`${theme}Sample`)}
            </span>
          ))}
        </div>
      )}
    </LabelledControl>
  )
}
