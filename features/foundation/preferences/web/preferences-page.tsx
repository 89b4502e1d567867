import type { ReactNode } from 'react'
import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { textSizes, themes } from '#base/preferences.ts'
import { timeZones } from '#base/time-zone.ts'
import { useAction } from '#base/web/action.ts'
import { switchLanguage } from '#base/web/switch-language.ts'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { changePreferences, preferences } from '#preferences/contract.ts'
import { chosenTextSize, chosenTheme, showTextSize, showTheme } from '#preferences/web/preferences.ts'
import css from '#preferences/web/preferences-page.module.css'
import { useSite } from '#setting/web/setting.tsx'

const themeWords = { system: 'themeSystem', light: 'themeLight', dark: 'themeDark' } as const
const sizeWords = { normal: 'sizeNormal', large: 'sizeLarge', larger: 'sizeLarger' } as const
const languages = { zh: '简体中文', en: 'English' } as const

/** Reading preferences for every device. Each choice applies and is saved at once. */
export function Page() {
  const words = useWords('preferences')
  const its = useLoaderData<Output<typeof preferences>>()
  const changing = useAction<typeof changePreferences>('/user/control/preferences')
  return (
    <section className="column">
      <p className="meta">{words('what')}</p>
      <LanguageChoice />
      <Choices
        name="theme"
        label={words('theme')}
        all={themes}
        chosen={chosenTheme.use()}
        say={(one) => words(themeWords[one])}
        choose={showTheme}
      />
      <Choices
        name="textSize"
        label={words('textSize')}
        all={textSizes}
        chosen={chosenTextSize.use()}
        say={(one) => words(sizeWords[one])}
        choose={showTextSize}
      >
        <div className={`prose ${css.sample}`}>
          <p>{words('sample')}</p>
        </div>
      </Choices>
      <TimeZone its={its} keep={(timeZone) => void changing.run({ timeZone }, { message: words('saved') })} />
    </section>
  )
}

function LanguageChoice() {
  const words = useWords('preferences')
  const here = useLanguage()
  const go = switchLanguage.use()
  const { languageSwitching } = useSite()
  if (Object.keys(languageSwitching).length < 2) return null
  return (
    <Choices
      name="language"
      label={words('language')}
      all={['zh', 'en'] as const}
      chosen={here}
      say={(one) => languages[one]}
      choose={(language) => void go(language)}
    />
  )
}

type ChoicesProps<One extends string> = {
  name: string
  label: string
  all: readonly One[]
  chosen: One
  say: (one: One) => string
  choose: (one: One) => void
  children?: ReactNode
}

function Choices<One extends string>({ name, label, all, chosen, say, choose, children }: ChoicesProps<One>) {
  return (
    <fieldset className={css.choices}>
      <legend>{label}</legend>
      {all.map((one) => (
        <label key={one}>
          <input type="radio" name={name} value={one} checked={one === chosen} onChange={() => choose(one)} /> {say(one)}
        </label>
      ))}
      {children}
    </fieldset>
  )
}

function TimeZone({ its: { timeZone, siteTimeZone }, keep }: { its: Output<typeof preferences>; keep: (zone: string) => void }) {
  const words = useWords('preferences')
  const here = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const zones = [...new Set([...(timeZone ? [timeZone] : []), here, ...timeZones()])]
  return (
    <label className={css.zone}>
      <span>{words('timeZone')}</span>
      <select value={timeZone ?? ''} onChange={({ currentTarget: { value } }) => keep(value)}>
        <option value="">{words('zoneOfSite', { zone: siteTimeZone })}</option>
        {zones.map((zone) => (
          <option key={zone} value={zone}>
            {zone === here ? words('zoneHere', { zone }) : zone}
          </option>
        ))}
      </select>
      <span className="meta">{words('timeZoneWhat')}</span>
    </label>
  )
}
