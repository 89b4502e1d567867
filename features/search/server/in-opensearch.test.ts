import { afterAll, describe } from 'vitest'
import { bearsAnything } from '#search/server/finding/bytes/example.ts'
import { aGround } from '#search/server/finding/example.ts'
import { filters, orders, questionFilters, suggests } from '#search/server/finding/filters/example.ts'
import { bringsBack, keepsUp } from '#search/server/finding/keeping/example.ts'
import { keepsSecrets } from '#search/server/finding/secrets/example.ts'
import { aSearchServer } from '#search/server/opensearch/example.ts'
import {
  findsBeginnings,
  findsOtherwise,
  findsTitles,
  findsTogether,
  findsWithout,
  findsWords,
} from '#search/server/finding/words/example.ts'

const standIn = await aSearchServer()
const ground = await aGround({ searchUrl: standIn.url })
afterAll(() => standIn.close())

describe('on a search server', () => {
  findsWords(ground)
  findsTitles(ground)
  findsBeginnings(ground)
  findsOtherwise(ground)
  findsTogether(ground)
  findsWithout(ground)
  keepsUp(ground)
  bringsBack(ground)
  keepsSecrets(ground)
  filters(ground)
  questionFilters(ground)
  orders(ground)
  suggests(ground)
  bearsAnything(ground)
})
