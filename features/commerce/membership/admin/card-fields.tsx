import { useEffect, useState } from 'react'
import { useLoaderData } from 'react-router'
import { InLanguages, offeredLanguages } from '#base/admin/in-languages.tsx'
import { NameFields, SortField } from '#base/admin/manage.tsx'
import { MarkdownField } from '#base/admin/markdown-field.tsx'
import { SideBySide } from '#base/admin/side-by-side.tsx'
import { CheckboxGroup } from '#base/admin/checkbox-group.tsx'
import { UnsavedGuard } from '#base/admin/unsaved-guard.tsx'
import { bothLanguages } from '#base/both-languages.ts'
import type { Output } from '#base/contract.ts'
import { SelectField, Field, LabelledControl, Submit, useForm } from '#base/web/form.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import {
  maxBody,
  maxBullets,
  maxName,
  maxSubtitle,
  previewCard,
  uploadCardPicture,
  type membershipCardForStaff,
  type membershipCardsForStaff,
} from '#membership/staff-contract.ts'
import { PictureCrop, PictureField, useSquarePicture } from '#user/admin/user.tsx'

export type Card = Output<typeof membershipCardForStaff>
export type Specification = Card['specifications'][number]
export type Data = Output<typeof membershipCardsForStaff> & { card: Card | null }

type Choosing = ReturnType<typeof useSquarePicture>

export const useCardPicture = useSquarePicture

/** A form of its own, so it is rendered beside the card's form. */
export function CardPicture({ of }: { of: Choosing }) {
  return <PictureCrop of={of} sends={uploadCardPicture} />
}

const names = { zh: 'nameZh', en: 'nameEn' } as const
const subtitles = { zh: 'subtitleZh', en: 'subtitleEn' } as const
const bodies = { zh: 'bodyZh', en: 'bodyEn' } as const

export function CardFields({ card, picture }: { card: Card | null; picture: Choosing }) {
  const words = useWords('membershipAdmin')
  return (
    <>
      <UnsavedGuard />
      <RoleChoice card={card} />
      <SideBySide>
        <NameFields name={card?.name} maxLength={maxName} fields={names} />
        <InLanguages names={subtitles} stored={card?.subtitle}>
          {({ name, language, value, isAlone }) => (
            <Field name={name} label={words(isAlone ? 'subtitle' : subtitles[language])} defaultValue={value} maxLength={maxSubtitle} />
          )}
        </InLanguages>
        <Bullets kept={card?.bullets} />
        <InLanguages names={bodies} stored={card?.body}>
          {({ name, language, value = '', isAlone }) => (
            <MarkdownField
              name={name}
              label={words(isAlone ? 'body' : bodies[language])}
              value={value}
              previews={previewCard}
              maxLength={maxBody}
              isOptional
            />
          )}
        </InLanguages>
      </SideBySide>
      <PictureField of={picture} help={words('pictureHelp')} />
      <Replaces card={card} />
      <SortField sort={card?.sort} />
      <Field
        name="isOnSale"
        type="checkbox"
        label={words('isOnSale')}
        help={words('isOnSaleHelp')}
        defaultChecked={card?.isOnSale ?? false}
      />
      <Submit>{words('save')}</Submit>
    </>
  )
}

function RoleChoice({ card }: { card: Card | null }) {
  const words = useWords('membershipAdmin')
  const language = useLanguage()
  const { roles } = useLoaderData<Data>()
  const sold = card && card.options > 0
  return (
    <SelectField
      name="roleId"
      label={words('role')}
      help={words(sold ? 'roleHelpSold' : 'roleHelp')}
      defaultValue={card?.role?.id ?? ''}
      required
    >
      <option value="">{words('chooseRole')}</option>
      {roles.map(({ id, name, isMine }) => (
        <option key={id} value={id} disabled={!isMine && id !== card?.role?.id}>
          {isMine ? name[language] : words('notYours', { name: name[language] })}
        </option>
      ))}
    </SelectField>
  )
}

/** The cards of other roles whose unused value is deducted from the price of this one. */
function Replaces({ card }: { card: Card | null }) {
  const words = useWords('membershipAdmin')
  const language = useLanguage()
  const { cards } = useLoaderData<Data>()
  const { replaces: wrong } = useForm().errors
  const others = cards.filter(({ id, isRemoved }) => !isRemoved && id !== card?.id)
  if (others.length === 0) return null
  return (
    <CheckboxGroup legend={words('replaces')}>
      {others.map(({ id, name }) => (
        <label key={id}>
          <input type="checkbox" name="replaces" value={id} defaultChecked={card?.replaces.includes(id)} aria-describedby="replaces-help" />
          <bdi>{name[language]}</bdi>
        </label>
      ))}
      <p id="replaces-help" className={wrong ? 'wrong' : 'help'} role={wrong ? 'alert' : undefined}>
        {wrong ?? words('replacesHelp')}
      </p>
    </CheckboxGroup>
  )
}

const bulletNames = { zh: 'bulletsZh', en: 'bulletsEn' } as const

function Bullets({ kept }: { kept: Card['bullets'] | undefined }) {
  const offered = offeredLanguages.use()
  return bothLanguages.map((language) => {
    const isOwn = kept !== undefined && kept.zh.join('\n') !== kept.en.join('\n')
    if (!offered.includes(language) && !isOwn) return null
    return <BulletsField key={language} language={language} lines={kept?.[language] ?? []} isShown={offered.includes(language)} />
  })
}

/** One line per bullet; a language that the site does not offer keeps its lines. */
function BulletsField({ language, lines, isShown }: { language: 'zh' | 'en'; lines: string[]; isShown: boolean }) {
  const words = useWords('membershipAdmin')
  const isAlone = offeredLanguages.use().length === 1
  const { setValue } = useForm()
  const [text, setText] = useState(lines.join('\n'))
  const name = bulletNames[language]
  useEffect(() => {
    const bullets = text.split('\n').map((line) => line.trim())
    setValue(
      name,
      bullets.filter((line) => line !== ''),
    )
  }, [setValue, name, text])
  if (!isShown) return null
  return (
    <LabelledControl name={name} label={words(isAlone ? 'bullets' : name)} help={words('bulletsHelp', { count: maxBullets })}>
      {(control) => <textarea {...control} rows={4} value={text} onChange={({ target }) => setText(target.value)} />}
    </LabelledControl>
  )
}
