import { addressKey } from '../../nodes/text/addressKey.ts';

const PAGE = 'https://example.com/shop?a=1&b=2';

it.each([
	'http://example.com/shop?a=1&b=2',
	'https://www.example.com/shop?a=1&b=2',
	'https://example.com:443/shop/?b=2&a=1',
	'https://example.com/shop?utm_source=news&a=1&b=2&gclid=x',
	'https://example.com/shop;jsessionid=AB12?a=1&b=2&PHPSESSID=77#reviews',
	' https://EXAMPLE.com/shop?a=1&b=2 ',
])('one page under several spellings has one key: %s', (spelling) => {
	expect(addressKey(spelling)).toBe(addressKey(PAGE));
});

it.each([
	'https://shop.example.com/shop?a=1&b=2',
	'https://example.com/shop?a=1&b=3',
	'https://example.com/Shop?a=1&b=2',
	'https://example.com:8443/shop?a=1&b=2',
	'https://example.com/shop?a=1&b=2#!/page/2',
	'not an address',
])('another page has another key: %s', (other) => {
	expect(addressKey(other)).not.toBe(addressKey(PAGE));
});
