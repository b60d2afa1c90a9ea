import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderApp } from '#web/testing/render-app.tsx'
import { Landing } from './landing.tsx'

const links = () => screen.getAllByRole('link').map((link) => `${link.textContent} ${link.getAttribute('href')}`)

describe('Landing', () => {
  it('shows the figures', () => {
    renderApp(<Landing isSignedIn={false} />)
    const figures = within(screen.getByRole('region', { name: 'Adapt in figures' }))
    expect(figures.getAllByRole('definition').map((figure) => figure.textContent)).toEqual([
      '10,000+',
      '50,000+',
      '94%',
      '3 hours',
    ])
  })

  it('shows three testimonials with five stars each', () => {
    renderApp(<Landing isSignedIn={false} />)
    expect(screen.getAllByRole('img', { name: 'Rated 5 out of 5 stars' })).toHaveLength(3)
  })

  it('invites visitors to sign in, to get started and to a free trial', () => {
    renderApp(<Landing isSignedIn={false} />)
    expect(links()).toEqual([
      'Get Started /sign-up',
      'Sign In /sign-in',
      'Start Free Trial /sign-up',
      'Sign In /sign-in',
    ])
  })

  it('leads signed-in people to their work', () => {
    renderApp(<Landing isSignedIn />)
    expect(new Set(links())).toEqual(new Set(['Dashboard /dashboard', 'Upload Video /upload']))
  })
})
