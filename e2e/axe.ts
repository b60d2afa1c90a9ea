import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** What axe holds against a page as it stands now, up to WCAG 2.2 AA. */
export async function axeFindings(page: Page): Promise<string[]> {
  return findFaults(open(page).withTags(RULES))
}

/** Those faults that another colour scheme may have where the first one has none. */
export async function axeColourFindings(page: Page): Promise<string[]> {
  return findFaults(open(page).withRules(COLOUR_RULES))
}

/** No page of ours has frames of other origins, so that axe needs no second tab to put its findings together. */
function open(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode()
}

async function findFaults(builder: AxeBuilder): Promise<string[]> {
  const { violations } = await builder.analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} (${node.any[0]?.message ?? node.none[0]?.message})`),
  )
}
