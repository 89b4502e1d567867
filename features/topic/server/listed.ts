import { sql } from 'kysely'

// Written out, for a plan that serves whatever is asked knows an index of some rows alone only by what a statement says itself.
export const isPublished = sql<boolean>`topic.status = 'published'`
export const isNotDeleted = sql<boolean>`topic.status <> 'deleted'`
export const isPinned = sql<boolean>`topic.pin > 0`
export const isUnpinned = sql<boolean>`topic.pin = 0`
