import { SelectField, Field, useForm } from '#base/web/form.tsx'
import type { FieldValues } from '#base/editor/stored-fields.ts'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { EnvelopeOptions } from '#red-envelope/web/red-envelope.tsx'
import css from '#red-envelope/web/envelope-fields.module.css'

const names = ['envelopeCommented', 'envelopeFollowers', 'envelopeLevel', 'envelopeRole', 'envelopeDays']

/** The conditions for opening it: folded, unless one is set or wrong. */
export function ConditionFields({ levels, roles, first }: Pick<EnvelopeOptions, 'levels' | 'roles'> & { first: FieldValues }) {
  const words = useWords('redEnvelope')
  const language = useLanguage()
  const { errors } = useForm()
  const isWrong = names.some((name) => errors[name])
  // A draft's choice that no longer exists is submitted and refused; otherwise the envelope would open for everybody.
  const isLevelGone = Boolean(first['envelopeLevel']) && !levels.some(({ needs }) => needs === first['envelopeLevel'])
  const isRoleGone = Boolean(first['envelopeRole']) && !roles.some(({ id }) => id === first['envelopeRole'])
  return (
    <details className={css.conditions} open={isWrong || names.some((name) => first[name]) || undefined}>
      <summary>{words('conditions')}</summary>
      <Field name="envelopeCommented" type="checkbox" label={words('onlyCommented')} defaultChecked={first['envelopeCommented'] === 'on'} />
      <Field name="envelopeFollowers" type="checkbox" label={words('onlyFollowers')} defaultChecked={first['envelopeFollowers'] === 'on'} />
      <div className={css.row}>
        <SelectField name="envelopeLevel" label={words('levelField')} defaultValue={first['envelopeLevel'] ?? ''}>
          <option value="">{words('anyLevel')}</option>
          {levels.map(({ needs, name }) => (
            <option key={needs} value={needs}>
              {words('levelOption', { name: name[language], points: Number(needs) })}
            </option>
          ))}
          {isLevelGone && <option value={first['envelopeLevel']}>{words('goneOption')}</option>}
        </SelectField>
        {(roles.length > 0 || isRoleGone) && (
          <SelectField name="envelopeRole" label={words('roleField')} defaultValue={first['envelopeRole'] ?? ''}>
            <option value="">{words('anyRole')}</option>
            {roles.map(({ id, name }) => (
              <option key={id} value={id}>
                {name[language]}
              </option>
            ))}
            {isRoleGone && <option value={first['envelopeRole']}>{words('goneOption')}</option>}
          </SelectField>
        )}
        <Field name="envelopeDays" label={words('daysField')} type="number" min={0} max={3_650} defaultValue={first['envelopeDays']} />
      </div>
    </details>
  )
}
