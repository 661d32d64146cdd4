"""Markdown becomes the HTML that GitHub makes of it, or is refused."""

import pytest

from autograder.workbench.markdown import CannotConvert, to_html


def html_of(text, block=lambda info, body: None):
    return to_html(text, block)[1]


@pytest.mark.parametrize(
    "text, html",
    [
        ("a < b & *c*", "<p>a &lt; b &amp; <em>c</em></p>"),
        ("a `b < *c*` d", "<p>a <code>b &lt; *c*</code> d</p>"),
        ("``a ` b``", "<p><code>a ` b</code></p>"),
        ("**`*` *b*** 2 * 3", "<p><strong><code>*</code> <em>b</em></strong> 2 * 3</p>"),
        ("a_b_c _d_ __e__", "<p>a_b_c <em>d</em> <strong>e</strong></p>"),
        ("\\*a\\* &ouml;", "<p>*a* ö</p>"),
        ("a  \nb\nc", "<p>a<br>\nb\nc</p>"),
        ("[a *b*](#c)", '<p><a href="#c">a <em>b</em></a></p>'),
        ("see https://a.b/c.", '<p>see <a href="https://a.b/c">https://a.b/c</a>.</p>'),
        ("<https://a.b>", '<p><a href="https://a.b">https://a.b</a></p>'),
        ("at -5 or x-5", '<p>at <span class="whole">-5</span> or x-5</p>'),
        ("max `[2]` [1, 2]", "<p>max <code>[2]</code> [1, 2]</p>"),
        ("> a\n> b", "<blockquote>\n<p>a\nb</p>\n</blockquote>"),
        ("a\n\n---\n\nb <!-- no -->c", "<p>a</p>\n<hr>\n<p>b c</p>"),
        ("<!-- a\n\nb -->\nc", "<p>c</p>"),
        ("# A `b`\n## C\n## C", None),
        ("- a\n  b\n- c", "<ul>\n<li>a\nb</li>\n<li>c</li>\n</ul>"),
        ("3. a\n4. b", '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'),
        ("a\n- b", "<p>a</p>\n<ul>\n<li>b</li>\n</ul>"),
        ("- a\n\n- b", "<ul>\n<li><p>a</p></li>\n<li><p>b</p></li>\n</ul>"),
        ("- a\n  - b\n\nc", "<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul></li>\n</ul>\n<p>c</p>"),
    ],
)  # fmt: skip
def test_what_is_known_is_converted(text, html):
    if html is None:
        html = (
            '<h1 id="a-b">A <code>b</code></h1>\n<nav><ul><li><a href="#c">C</a></li>'
            '<li><a href="#c-1">C</a></li></ul></nav>\n<h2 id="c">C</h2>\n'
            '<h2 id="c-1">C</h2>'
        )
    assert html_of(text) == html


def test_a_table_keeps_its_cells_and_its_sides():
    html = html_of("| a | `b\\|c` |\n|---|--:|\n| a cell that may be broken | 2 |\n| d |")
    right = ' class="whole" style="text-align:right"'
    assert '<tr><th class="whole">a</th>' in html
    assert f"<th{right}><code>b|c</code></th></tr>" in html
    assert f"<tr><td>a cell that may be broken</td><td{right}>2</td></tr>" in html
    assert f'<tr><td class="whole">d</td><td{right}></td></tr>' in html


def test_a_block_of_code_is_as_it_is_or_what_the_caller_makes_of_it():
    asked = []
    html = html_of("```text tree x\na *b* <c>\n\n  d\n```", lambda *a: asked.append(a))
    assert asked == [("text tree x", "a *b* <c>\n\n  d")]
    assert "<code>a *b* &lt;c&gt;\n\n  d</code>" in html
    assert html_of("~~~\na\n~~~", lambda info, body: f"<svg>{body}</svg>") == "<svg>a</svg>"


@pytest.mark.parametrize(
    "text, what",
    [
        ("a <b>c</b>", "HTML"),
        ("<div>", "HTML"),
        ("![a](b.png)", "a picture"),
        ("[a][b]", "a link apart"),
        ("a[^1]", "a footnote"),
        ("[a]: b", "a link apart"),
        ("~~a~~", "struck-out"),
        ("***a***", "bold and italic at once"),
        ("let $a^2$ be", "a formula"),
        ("    code", "code by indentation"),
        ("Head\n====", "a heading by a line below"),
        ("Head\n---", "a heading by a line below"),
        ("| a | b |\nc", "without a line of dashes"),
        ("| a |\n|---|\n| b | c |", "more cells"),
        ("```\nno end", "has no end"),
        ("- [ ] a", "a box to tick"),
    ],
)
def test_what_is_not_known_is_refused_in_one_line(text, what):
    with pytest.raises(CannotConvert, match=f"^handout.md: '.*': .*{what}") as caught:
        html_of(text)
    assert "\n" not in str(caught.value)
