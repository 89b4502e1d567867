import { useState } from 'react'
import { useLoaderData } from 'react-router'
import { Unsaved } from '#base/admin/unsaved.tsx'
import type { Output } from '#base/contract.ts'
import { confirm } from '#base/web/ask.ts'
import { useDeed } from '#base/web/deed.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Choice, Field, Form, Submit } from '#base/web/form.tsx'
import { Menu, MenuButton } from '#base/web/menu.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { addCategory, editCategory, type categoryTree, type removeCategory } from '#report/category-contract.ts'
import css from '#report/admin/report.module.css'

type Tree = Output<typeof categoryTree>['categories']
type Category = Tree[number]

export function Page() {
  const words = useWords('reportAdmin')
  const language = useLanguage()
  const { categories } = useLoaderData<Output<typeof categoryTree>>()
  const [open, setOpen] = useState<Category | 'new' | null>(null)
  const groups = categories.filter(({ parentId }) => parentId === null)
  return (
    <>
      <div className={css.head}>
        <h1>{words('categories')}</h1>
        <button type="button" className="button" onClick={() => setOpen('new')}>
          {words('addCategory')}
        </button>
      </div>
      <p className="meta">{words('categoriesWhat')}</p>
      <ul className={css.tree}>
        {groups.map((group) => (
          <li key={group.id}>
            <Line category={group} edit={() => setOpen(group)} />
            <ul>
              {categories
                .filter(({ parentId }) => parentId === group.id)
                .map((category) => (
                  <li key={category.id}>
                    <Line category={category} edit={() => setOpen(category)} />
                  </li>
                ))}
            </ul>
          </li>
        ))}
      </ul>
      <Dialog
        title={open === 'new' ? words('addCategory') : (open?.name[language] ?? '')}
        isOpen={open !== null}
        close={() => setOpen(null)}
      >
        {open && <CategoryForm category={open === 'new' ? null : open} groups={groups} done={() => setOpen(null)} />}
      </Dialog>
    </>
  )
}

function Line({ category, edit }: { category: Category; edit: () => void }) {
  const words = useWords('reportAdmin')
  const language = useLanguage()
  const remove = useDeed<typeof removeCategory>('/admin/reportCategory/remove')
  const name = category.name[language]

  async function ask(): Promise<void> {
    if (await confirm(words('removeCategoryAsk', { name }), words('remove'))) await remove.go({ categoryId: category.id })
  }

  return (
    <div className={css.category}>
      <span>
        {name} <span className="meta">{category.name[language === 'zh' ? 'en' : 'zh']}</span>
      </span>
      {category.needsReason && <span className="mark">{words('needsText')}</span>}
      {category.parentId && <span className="meta">{words('used', { count: category.reports })}</span>}
      <Menu label={words('deedsFor', { name })}>
        <MenuButton onClick={edit}>{words('edit')}</MenuButton>
        <MenuButton danger onClick={() => void ask()}>
          {words('remove')}
        </MenuButton>
      </Menu>
    </div>
  )
}

type FormProps = { category: Category | null; groups: Tree; done: () => void }

function CategoryForm({ category, groups, done }: FormProps) {
  const words = useWords('reportAdmin')
  const language = useLanguage()
  const fields = (
    <>
      <Unsaved />
      <Field name="zh" label={words('nameZh')} defaultValue={category?.name.zh} required maxLength={60} data-first />
      <Field name="en" label={words('nameEn')} defaultValue={category?.name.en} required maxLength={60} />
      <Choice name="parentId" label={words('group')} defaultValue={category?.parentId ?? ''}>
        <option value="">{words('isGroup')}</option>
        {groups
          .filter(({ id }) => id !== category?.id)
          .map(({ id, name }) => (
            <option key={id} value={id}>
              {name[language]}
            </option>
          ))}
      </Choice>
      <Field
        name="needsReason"
        type="checkbox"
        label={words('needsText')}
        help={words('needsTextHelp')}
        defaultChecked={category?.needsReason}
      />
      <Field name="sort" type="number" label={words('sort')} help={words('sortHelp')} defaultValue={category?.sort ?? 0} />
      <Submit>{words('save')}</Submit>
    </>
  )
  if (!category)
    return (
      <Form sends={addCategory} then={done}>
        {fields}
      </Form>
    )
  return (
    <Form sends={editCategory} along={{ categoryId: category.id }} then={done}>
      {fields}
    </Form>
  )
}
