import type { Db } from '#base/server/database/database.ts'
import type { FilterNames, ListFilters } from '#batch/server/batch.ts'
import * as field from '#field/server/field.ts'
import { rolesHeld } from '#member/server/list.ts'

/** The names of the roles, fields and answers in the lists' filters. */
export async function filterLabels(db: Db, all: readonly ListFilters[]): Promise<FilterNames> {
  if (all.length === 0) return () => null
  const roles = await rolesHeld(db)
  const fields = await field.searchableFields(db)
  return (narrowed, filter) => {
    const value = narrowed[filter] ?? ''
    const selectedField = fields.find(({ id }) => id === narrowed['fieldId'])
    if (filter === 'roleId') return roles.find(({ id }) => id === value)?.name ?? null
    if (filter === 'fieldId') return selectedField?.name ?? null
    return (filter === 'answer' && selectedField?.options.find(({ key }) => key === value)?.name) || null
  }
}
