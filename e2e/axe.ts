import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'

/** Minified, because loading axe takes a page longer than a run of it. */
const SOURCE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** What axe holds against a page as it stands now, up to WCAG 2.2 AA. */
export function axeFindings(page: Page): Promise<string[]> {
  return findFaults(page, { type: 'tag', values: RULES })
}

/** Those faults that another colour scheme may have where the first one has none. */
export function axeColourFindings(page: Page): Promise<string[]> {
  return findFaults(page, { type: 'rule', values: COLOUR_RULES })
}

type Axe = typeof axe

/** No page of ours has frames of other origins, so that axe runs in the page itself; it is loaded once a page. */
async function findFaults(page: Page, runOnly: axe.RunOnly): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(SOURCE)
  const { violations } = await page.evaluate(
    (only) => (window as unknown as { axe: Axe }).axe.run(document, { runOnly: only, resultTypes: ['violations'] }),
    runOnly,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} (${node.any[0]?.message ?? node.none[0]?.message})`),
  )
}
