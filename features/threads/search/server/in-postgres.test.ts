import { describe } from 'vitest'
import { bearsAnything } from '#search/testing/bytes-suite.ts'
import { aGround } from '#search/testing/engine-suite.ts'
import { filters, orders, questionFilters, suggests } from '#search/testing/filters-suite.ts'
import { bringsBack, keepsUp } from '#search/testing/keeping-suite.ts'
import { keepsSecrets } from '#search/testing/secrets-suite.ts'
import { findsNames, findsVariants } from '#search/testing/spellings-suite.ts'
import { findsBeginnings, findsOtherwise, findsTitles, findsTogether, findsWithout, findsWords } from '#search/testing/words-suite.ts'

const ground = await aGround()

describe('in the database', () => {
  findsWords(ground)
  findsTitles(ground)
  findsVariants(ground)
  findsNames(ground)
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
