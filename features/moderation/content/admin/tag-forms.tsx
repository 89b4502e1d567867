import { useState } from 'react'
import type { Output } from '#base/contract.ts'
import { InLanguages } from '#base/admin/in-languages.tsx'
import { NameFields } from '#base/admin/manage.tsx'
import { UnsavedGuard } from '#base/admin/unsaved-guard.tsx'
import { SelectField, Field, Form, LabelledControl, Submit, TextField } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'
import { TagChoice } from '#content/admin/tag-choice.tsx'
import { removeTag } from '#content/contract.ts'
import { accesses, addTag, editTag, uploadTagPicture, type tagsForStaff } from '#tag/contract.ts'
import { useNameOf } from '#tag/web/tag.tsx'
import { PictureCrop, PictureField, useSquarePicture } from '#user/admin/user.tsx'
import css from '#content/admin/content.module.css'

export type TagTree = Output<typeof tagsForStaff>
export type Tag = TagTree['tags'][number]
type Access = NonNullable<Tag['access']>

type TagFormProps = { tree: TagTree; tag: Tag | null; under: Tag | null; onDone: () => void; added: (tagId: string) => void }

export function TagForm({ tree, tag, under, onDone, added }: TagFormProps) {
  const words = useWords('contentAdmin')
  const [access, setAccess] = useState<Access | null>(tag?.access ?? null)
  const nameOf = useNameOf()
  const above = closedAbove(tree, tag ? tag.parentId : (under?.id ?? null))
  const keepers = tree.roles.filter(({ keepsOrder }) => keepsOrder).map(({ id }) => ({ roleId: id, may: 'post' as const }))
  const picture = useSquarePicture(tree.tags.find(({ id }) => id === tag?.id)?.picture ?? null)
  const along = { isRestricted: access !== null, access: access ?? [] }
  const fields = (
    <>
      <UnsavedGuard />
      <Names tag={tag} />
      <PictureField of={picture} help={words('pictureHelp')} />
      <Parent tree={tree} tag={tag} under={under} />
      <LabelledControl name="isRestricted" label={words('restricted')} help={words('restrictedHelp')} isTick>
        {(control) => (
          <input
            {...control}
            type="checkbox"
            checked={access !== null}
            onChange={({ target }) => setAccess(target.checked ? keepers : null)}
          />
        )}
      </LabelledControl>
      {above && <p>{words('closedAbove', { above: nameOf(above.name) })}</p>}
      {tag?.access && !access && !above && (
        <p className={css.warning} role="alert">
          {words('opensTag', { count: topicsIn(tree, tag) })}
        </p>
      )}
      {access && <AccessFields tree={tree} access={access} change={setAccess} />}
      <Submit>{words('save')}</Submit>
    </>
  )
  return (
    <>
      {tag ? (
        <Form endpoint={editTag} extra={{ ...along, tagId: tag.id, version: tag.version }} onSuccess={onDone}>
          {fields}
        </Form>
      ) : (
        <Form endpoint={addTag} extra={along} onSuccess={({ tagId }) => added(tagId)}>
          {fields}
        </Form>
      )}
      <PictureCrop of={picture} sends={uploadTagPicture} />
    </>
  )
}

/** The parent tag, if it is the one that restricts access. */
export function closedAbove(tree: TagTree, parentId: string | null): Tag | null {
  return tree.tags.find(({ id, access }) => id === parentId && access !== null) ?? null
}

/** The number of topics that would become public. */
function topicsIn(tree: TagTree, tag: Tag): number {
  const below = tree.tags.filter(({ parentId, access }) => parentId === tag.id && access === null)
  return [tag, ...below].reduce((sum, { topicCount }) => sum + topicCount, 0)
}

const descriptions = { zh: 'descriptionZh', en: 'descriptionEn' } as const

function Names({ tag }: { tag: Tag | null }) {
  const words = useWords('contentAdmin')
  return (
    <>
      <NameFields name={tag?.name} maxLength={50} fields={{ zh: 'nameZh', en: 'nameEn' }} />
      <Field name="key" label={words('key')} help={words('keyHelp')} defaultValue={tag?.key} required maxLength={40} autoCapitalize="off" />
      <InLanguages names={descriptions} stored={tag?.description}>
        {({ name, language, value, isAlone }) => (
          <TextField
            name={name}
            label={words(isAlone ? 'description' : descriptions[language])}
            defaultValue={value}
            maxLength={300}
            rows={2}
          />
        )}
      </InLanguages>
    </>
  )
}

// Only leaves hold topics: a tag with topics cannot have subtags, and a tag with subtags is at the top level.
function Parent({ tree, tag, under }: Pick<TagFormProps, 'tree' | 'tag' | 'under'>) {
  const words = useWords('contentAdmin')
  const nameOf = useNameOf()
  if (tag && tree.tags.some(({ parentId }) => parentId === tag.id)) return null
  const parents = tree.tags.filter(
    (one) => one.parentId === null && one.id !== tag?.id && (one.allTopics === 0 || one.id === tag?.parentId),
  )
  return (
    <SelectField name="parentId" label={words('parent')} help={words('parentHelp')} defaultValue={tag?.parentId ?? under?.id ?? ''}>
      <option value="">{words('noParent')}</option>
      {parents.map((one) => (
        <option key={one.id} value={one.id}>
          {nameOf(one.name)}
        </option>
      ))}
    </SelectField>
  )
}

type AccessFieldsProps = { tree: TagTree; access: Access; change: (access: Access) => void }

function AccessFields({ tree, access, change }: AccessFieldsProps) {
  const words = useWords('contentAdmin')
  const nameOf = useNameOf()

  function give(roleId: string, may: string): void {
    const others = access.filter((one) => one.roleId !== roleId)
    const granted = accesses.find((one) => one === may)
    change(granted ? [...others, { roleId, may: granted }] : others)
  }

  return (
    <fieldset className={css.access}>
      <legend>{words('access')}</legend>
      {tree.roles.map((role) => (
        <label key={role.id}>
          <span>{nameOf(role.name)}</span>
          <select value={access.find(({ roleId }) => roleId === role.id)?.may ?? ''} onChange={({ target }) => give(role.id, target.value)}>
            <option value="">{words('mayNothing')}</option>
            <option value="view">{words('mayView')}</option>
            <option value="post">{words('mayPost')}</option>
          </select>
        </label>
      ))}
    </fieldset>
  )
}

/** A tag can only be removed if its topics have another tag to go to. */
export function RemoveTag({ tree, tag, onDone }: { tree: TagTree; tag: Tag; onDone: () => void }) {
  const words = useWords('contentAdmin')
  const parents = new Map(tree.tags.map((one) => [one.id, one]))
  const holding = new Set(tree.tags.map(({ parentId }) => parentId))
  const others = tree.tags.filter(({ id }) => id !== tag.id)
  const places = others.map(({ id, key, name, access, parentId }) => {
    const above = parents.get(parentId ?? '')
    return {
      id,
      key,
      name,
      isRestricted: access !== null || (above?.access ?? null) !== null,
      parent: above ?? null,
      takesTopics: !holding.has(id),
    }
  })
  return (
    <Form endpoint={removeTag} extra={{ tagId: tag.id }} onSuccess={onDone}>
      <p>{words('removeTagWhat', { count: tag.allTopics })}</p>
      {tag.allTopics > 0 && <TagChoice name="to" tags={places} label={words('toTag')} isFirst />}
      <TextField name="reason" label={words('reason')} help={words('reasonHelp')} maxLength={300} rows={2} />
      <Submit danger>{words('doRemove')}</Submit>
    </Form>
  )
}
