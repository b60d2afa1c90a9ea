import { createElement, type SVGProps } from 'react'

interface IconData {
  name: string
  node: readonly (readonly [tag: string, attributes: Record<string, string>])[]
}

const LOOK = {
  xmlns: 'http://www.w3.org/2000/svg',
  width: 24,
  height: 24,
  viewBox: '0 0 24 24',
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
  'aria-hidden': true,
} as const

/**
 * Makes the icons of the share page, in place of lucide's own function of that name (vite.share.config.ts): ours need
 * none of its contexts and options, which would be a twentieth of all scripts before the page is usable.
 */
// oxlint-disable-next-line import/no-default-export -- the icons import the function that it replaces by default
export default function createPlainIcon({ name, node }: IconData) {
  return function Icon({ className = '', ...rest }: SVGProps<SVGSVGElement>) {
    const parts = node.map(([tag, attributes]) => createElement(tag, attributes))
    return createElement('svg', { ...LOOK, ...rest, className: `lucide lucide-${name} ${className}` }, ...parts)
  }
}
